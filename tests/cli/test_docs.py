"""The examples of docs/cli.md are true: all of them run, in order, in one shell."""

import os
import re

import case



class Docs(case.Case):
    def test_examples(self):
        text = (case.SOURCE / "docs/cli.md").read_text()
        script = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.S))
        self.assertGreater(script.count("tongyu "), 30)
        path = os.path.dirname(case.TONGYU) + ":" + os.environ["PATH"]
        p = self.exec(["bash", "-euo", "pipefail", "-c", script], env={"PATH": path})
        self.assertEqual(p.returncode, 0, p.stdout.decode(errors="replace")[-3000:] + p.stderr.decode(errors="replace"))
        self.assertEqual(p.stderr.decode().replace("2.msg: confirmed\n", "").replace("3.msg: confirmed\n", ""), "")

    def test_exit_statuses(self):
        """The page, the man page and the help tell the same."""
        rows = re.findall(r"^\| (\d) \| (.*) \|$", (case.SOURCE / "docs/cli.md").read_text(), re.M)
        self.assertEqual(len(rows), 5)
        self.assertEqual(rows, re.findall(r"^\.TP\n(\d)\n(.*)\.\n", self.out("man").decode(), re.M))
        self.assertEqual(rows, re.findall(r"^  (\d)  (.*)$", self.out("--help").decode(), re.M))

    def test_errors(self):
        """The table of errors has every one that the library has."""
        declared = re.findall(r"^    (TY_ERR_\w+) += -", (case.SOURCE / "include/tongyu/base.h").read_text(), re.M)
        rows = re.findall(r"^\| `(TY_ERR_\w+)` \|", (case.SOURCE / "docs/architecture.md").read_text(), re.M)
        self.assertGreater(len(declared), 10)
        self.assertEqual(sorted(declared), sorted(rows))


if __name__ == "__main__":
    case.main(needs_openssl=True)
