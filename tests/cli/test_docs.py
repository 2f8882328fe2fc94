"""The documentation is correct: the examples of docs/cli.md run in order in one shell; commands,
targets and tables of the other pages are checked."""

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
        self.assertEqual(p.returncode, 0, p.stdout.decode(errors="replace")[-3000:] +
                         p.stderr.decode(errors="replace"))
        shown = [l for l in p.stderr.decode().splitlines() if "the machine was busy" not in l]
        self.assertEqual(shown, ["2.msg: confirmed", "3.msg: confirmed"])

    # Other pages with blocks of shell commands: the test that runs the commands, and a string that
    # occurs in that test, and in the page or its name.
    ELSEWHERE = {
        "README.md": ("tests/build/install.sh", "pkg-config"),
        "docs/cms.md": ("tests/cli/test_cms.py", "cms.md"),
        "docs/openssl.md": ("tests/provider/page.py", "openssl.md"),
        "docs/libtommath.md": ("tests/compat/clients.sh", "dropbearkey"),
        "docs/firmware.md": ("fw/CMakeLists.txt", "mps2_an386.ld"),
        "docs/platforms.md": ("tools/check.sh", "tests/platforms/wasm.sh"),
        "docs/python.md": ("app/python/tests/test_docs.py", "python.md"),
        "docs/bulk.md": ("app/python/tests/test_bulk.py", "bulk.md"),
    }

    def test_the_first_page(self):
        """The console commands of README, in order, with the output shown after each."""
        text = (case.SOURCE / "README.md").read_text()
        console = "".join(re.findall(r"```console\n(.*?)```", text, re.S))
        steps = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", console, re.M)
        self.assertGreater(len(steps), 10)
        for name in ("report.pdf", "backup.tar", "one.iso"):
            self.write(name, name)
        env = {"PATH": os.path.dirname(case.TONGYU) + ":" + os.environ["PATH"]}
        for command, shown in steps:
            p = self.exec(["bash", "-euc", command], env=env)
            self.assertEqual((p.returncode, p.stderr), (0, b""), command)
            if shown:
                self.assertEqual(p.stdout.decode(), shown, command)

    def test_pages_whose_commands_are_run_elsewhere(self):
        """The blocks of shell commands of every page run here, or in a test listed in
        ELSEWHERE."""
        pages = ["README.md",
                 *sorted(f"docs/{p.name}" for p in (case.SOURCE / "docs").glob("*.md"))]
        with_shell = {p
                      for p in pages
                      if re.search(r"^```(sh)?\n(?!```)[^`]*?^(\$ "
                                   r")?(cc|cmake|make|pip|python3|openssl|tongyu|arm-\S+|LD_\S+) ",
                                   re.sub(r"^```(\w+)\n.*?^```\n",
                                          lambda m: m[0] if m[1] == "sh" else "",
                                          (case.SOURCE / p).read_text(), flags=re.M | re.S), re.M)}
        self.assertEqual(with_shell - {"docs/cli.md"}, set(self.ELSEWHERE))
        for page, (test, words) in self.ELSEWHERE.items():
            self.assertIn(words, (case.SOURCE / test).read_text(), test)
            self.assertTrue(words in (case.SOURCE / page).read_text() or words in page, page)

    def test_commands_in_the_text(self):
        """`tongyu VERB --option ...` in the text of every page: the verb and its options exist."""
        seen = 0
        for page in [case.SOURCE / "README.md", *(case.SOURCE / "docs").glob("*.md")]:
            text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
            for command in re.findall(r"`tongyu ([^`=]*)`", text):
                words = [w for w in command.replace("VERB", "sign").split("|")[0].split()]
                verb = words[:2] if words[0] in ("sm2", "curve", "exchange", "cms") else words[:1]
                with self.subTest(page=page.name, command=command):
                    help_text = self.out(*([] if verb[0].startswith("-") else verb),
                                         "--help").decode()
                    for option in (w for w in words if w.startswith("-")):
                        self.assertRegex(help_text, re.escape(option) + r"\b")
                    seen += 1
        self.assertGreater(seen, 15)

    def test_stages_and_targets_in_the_text(self):
        """`tools/check.sh STAGE...` and `make TARGET` in every page: each exists, and each stage
        runs in one of the groups `ci` and `all`, with the build of another stage, or by itself
        (`make coverage`), or is left out for a reason that check.sh gives."""
        check = (case.SOURCE / "tools/check.sh").read_text()
        stages = set(re.search(r'echo "stages: (release.*?)\n    exit', check, re.S)[1]
                     .translate(str.maketrans('"\\', "  ")).split())
        groups = " ".join(re.findall(r"^    side_by_side (.*?) ;;$", check, re.M | re.S))
        self.assertEqual(stages - set(re.findall(r"[\w-]+", groups)),
                         {"coverage", "debug", "m4", "m4f", "portable"})
        targets = set(re.findall(r"^([a-z][a-z -]*):", (case.SOURCE / "Makefile").read_text(),
                                 re.M))
        targets = {t for group in targets for t in group.split()}
        seen = 0
        for page in [case.SOURCE / "README.md", case.SOURCE / "CONTRIBUTING.md",
                     *(case.SOURCE / "docs").glob("*.md")]:
            text = page.read_text()
            for name in re.findall(r"`tools/check\.sh ([^`]*)`", text):
                for stage in name.split():
                    self.assertIn(stage, stages | {"ci", "all"}, page.name)
                    seen += 1
            for target in re.findall(r"`make ([a-z][a-z-]*)", text):
                self.assertIn(target, targets, page.name)
        self.assertGreater(seen, 15)

    def test_exit_statuses(self):
        """docs/cli.md, the man page and the help list the same exit statuses."""
        rows = re.findall(r"^\| (\d) \| (.*) \|$", (case.SOURCE / "docs/cli.md").read_text(), re.M)
        self.assertEqual(len(rows), 5)
        self.assertEqual(rows, re.findall(r"^\.TP\n(\d)\n(.*)\.\n", self.out("man").decode(), re.M))
        self.assertEqual(rows, re.findall(r"^  (\d)  (.*)$", self.out("--help").decode(), re.M))

    def test_errors(self):
        """The table of errors in docs/architecture.md has every error of the library."""
        declared = re.findall(r"^    (TY_ERR_\w+) += -",
                              (case.SOURCE / "include/tongyu/base.h").read_text(), re.M)
        rows = re.findall(r"^\| `(TY_ERR_\w+)` \|",
                          (case.SOURCE / "docs/architecture.md").read_text(), re.M)
        self.assertGreater(len(declared), 10)
        self.assertEqual(sorted(declared), sorted(rows))


if __name__ == "__main__":
    case.main(needs_openssl=True)
