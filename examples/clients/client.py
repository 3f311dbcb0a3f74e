import json
import subprocess

server = subprocess.Popen(["bohier", "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(verb, **members):
    server.stdin.write(json.dumps({"verb": verb, **members}) + "\n")
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    if answer["code"] not in (0, 3):  # 3: nothing left to suggest, the normal end
        raise RuntimeError(answer["error"]["error"])
    return answer["result"]


def loss(x, mode, damping=0.2):  # the experiment; a parameter that is inactive is not there
    return (x - 0.3) ** 2 + (damping if mode == "damped" else 0.1)


while trial := ask("suggest"):
    ask("observe", trial=trial["id"], value=loss(**trial["params"]))
print("best", ask("best")["values"]["loss"])
