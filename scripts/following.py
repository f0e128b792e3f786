"""Starts the program as the README tells people to: enrols a box, and follows a table with
tilewarden up. For the evaluations, and for the walk of the README itself."""

import json
import pathlib
import subprocess
import sys
import tempfile


def enrol(program, sheet, pack):
    """The README's way: names what it sees. The sheet shows each type once, so that nothing has to
    be corrected. Ends this program where enrol wants that all the same."""
    done = subprocess.run([program, "enrol", str(sheet), "--out", str(pack)], capture_output=True,
                          text=True, check=False)
    if done.returncode or not pathlib.Path(pack).exists():
        sys.exit(f"enrol wants something done: {done.stdout}{done.stderr}")
    return ["--pack", str(pack)]


def follow(program, source, arguments):
    """What tilewarden up tells of a source, with a data folder of its own, as fast as it reads: its
    JSON lines. Raises CalledProcessError, and says what went wrong, where it fails."""
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryFile("w+") as log:
        command = [str(program), "up", str(source), *arguments, "--json", "--states", "--pace", "fast",
                   "--data", data, "--listen", "127.0.0.1:0", "--page-listen", "127.0.0.1:0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as up:
            for line in up.stdout:
                yield json.loads(line)
        if up.returncode:
            log.seek(0)
            sys.stderr.write(log.read())
            raise subprocess.CalledProcessError(up.returncode, command)
