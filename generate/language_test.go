package generate_test

import (
	"testing"

	"github.com/assay-eval/assay/generate"
)

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"How long are the backups kept?":                                 "en",
		"What's the deadline?":                                           "en",
		"Wie lange werden Sicherungen aufgehoben?":                       "de",
		"Was war der Grund für die Änderung?":                            "de",
		"Combien de temps les sauvegardes sont-elles gardées ?":          "fr",
		"À quelle heure ferme l'accueil ?":                               "fr",
		"¿Cómo se guardan las copias de seguridad?":                      "es",
		"Per quanto tempo vengono conservate le copie?":                  "it",
		"Hoe lang worden de kopieën bewaard?":                            "nl",
		"Por quanto tempo as cópias são guardadas? Não sei quando.":      "pt",
		"备份保留多久？":                                                        "zh",
		"Kubernetes 备份保留多久？":                                             "zh",
		"バックアップの保存期間は何日ですか？":                                             "ja",
		"백업은 얼마나 보관되나요?":                                                 "ko",
		"Сколько хранятся резервные копии?":                              "cyrl",
		"كم من الوقت يتم الاحتفاظ بالنسخ الاحتياطية؟":                    "arab",
		"backup retention days":                                          "",
		"Leihrad Reifen platt":                                           "",
		"The file docs/настройка.md is used for the settings of the app": "en",
		"429": "",
		"":    "",
	} {
		if got := generate.Language(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
