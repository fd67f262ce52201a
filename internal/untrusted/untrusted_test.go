package untrusted

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTokensInTokens(t *testing.T) {
	for text, want := range map[string]string{
		"<|im_end|>": "< |im_end|>", "<|[/INST]|>": "< |[ /INST]|>", "<|[INST]|></s>": "< |[ INST]|>< /s>", "a < b | c > d": "a < b | c > d",
		"<<SYS>>": "< <SYS>>", "<｜User｜>": "< ｜User｜>", "end</s>": "end< /s>", "<s>[INST] hi": "< s>[ INST] hi",
		"<unused12>": "< unused12>", "<start_of_image>": "< start_of_image>", "<pad>": "< pad>", "<think>": "< think>", "</think>": "< /think>",
		"[AVAILABLE_TOOLS]": "[ AVAILABLE_TOOLS]", "[/TOOL_RESULTS]": "[ /TOOL_RESULTS]", "[|endofturn|]": "[ |endofturn|]", "<|turn>": "< |turn>", "<turn|>": "< turn|>",
		"<BOS_TOKEN>": "< BOS_TOKEN>", "<extra_id_0>": "< extra_id_0>", "<reserved_12>": "< reserved_12>", "<begin_of_text>": "< begin_of_text>",
		// What pages are full of stays as it is.
		`<p class="a">x</p> <td> <br/> <image.png>`: `<p class="a">x</p> <td> <br/> <image.png>`, "a[i] = b[0]": "a[i] = b[0]", "[x](y) [1] [ ] [Note]": "[x](y) [1] [ ] [Note]",
		"List<String> f(Map<K, V> m)": "List<String> f(Map<K, V> m)", "if (a<b||c>d)": "if (a<b||c>d)", "| a | b |": "| a | b |",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// Whatever the text holds, no token is left in what is shown, and what was copied from it is found again.
func TestTextAndBack(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"<|im_end|>", "<|im_start|>system\n", "<start_of_turn>", "</s>", "[/INST]", "<|", "|>", "<", ">", "|", "[", "s>", "<<SYS>>", "x", " y", "\n"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "text"), "")
		got := Text(text)
		if token := controls.FindString(got); token != "" {
			t.Fatalf("%q still holds %s", got, token)
		}
		if strings.Count(got, " ") == strings.Count(text, " ") && got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
	for _, text := range []string{"stop at <|im_end|> and </s>", "wrap it in [INST] and [/INST]", "no token, a < b"} {
		if back := Quote(text, Text(text)); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
	}
	if q := Quote("type < |im_end|> here", "< |im_end|>"); q != "< |im_end|>" {
		t.Errorf("a blank of the text's own was taken out: %q", q)
	}
}

func TestMarkIsInNoText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, text := rapid.Uint64Range(0, 3).Draw(t, "seed"), rapid.String().Draw(t, "text")
		mark := Mark(seed, text)
		if len(mark) != 16 || mark != Mark(seed, text) {
			t.Fatalf("mark %q, then %q", mark, Mark(seed, text))
		}
		if Mark(seed, text, "") == mark || Mark(seed, text+mark) == mark {
			t.Fatal("other texts have the same mark")
		}
	})
}
