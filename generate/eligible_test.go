package generate_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

var prose = "Backups are kept for thirty days and then deleted for good. Restoring one takes about an hour, and two administrators have to agree before it begins. " +
	"The copies lie encrypted in a second data centre, which nobody from the first may enter alone."

func TestIneligible(t *testing.T) {
	for _, tc := range []struct{ name, title, text, want string }{
		{"prose", "Backup", prose, ""},
		{"too short", "", "Backups are kept for thirty days.", "under 40 words"},
		{"too long", "", strings.Repeat(prose+" ", 1000), "over 200 kB"},
		{"a title too long", strings.Repeat("a", 200_000), prose, "over 200 kB"},
		{"numbers", "", strings.Repeat("0.9167 0.8193 0.9639 60 ", 12), "not prose"},
		{"table", "", strings.Repeat("| b | 12 | .95 | .96 | 3.4 |\n", 14), "not prose"},
		{"code", "", strings.Repeat("if x[i] != (y+1)*2 { z[i] <<= 3; }\n", 8), "not prose"},
		{"list of links", "", strings.Repeat("- [How to restore a backup of your space](backup.md)\n", 8), "contents, licence or changelog"},
		{"dotted contents", "", strings.Repeat("Restoring a backup of a space .......... 12\n", 8), "contents, licence or changelog"},
		{"heading of contents", "Handbook > Inhaltsverzeichnis", prose, "contents, licence or changelog"},
		{"changelog", "", "## 1.2.0 - 2024-01-03\n" + prose + "\n## 1.1.9 - 2023-11-02\nLess.\n## 1.1.8 - 2023-10-01\nMore.", "contents, licence or changelog"},
		{"licence", "", "Permission is hereby granted, free of charge, to any person " + prose, "contents, licence or changelog"},
		{"a licence that answers a question", "Limits > Licence", prose, ""},
		{"German", "", strings.Repeat("Die Kopien liegen verschlüsselt in einem zweiten Rechenzentrum. ", 6), ""},
		{"Chinese", "", strings.Repeat("备份保留三十天。", 8), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := generate.Ineligible(&assay.Chunk{Title: tc.title, Text: tc.text}, generate.MinProseWords); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}
