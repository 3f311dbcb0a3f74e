using JSON  # import Pkg; Pkg.add("JSON")

server = open(`bohier serve --stdio`, "r+")

function ask(verb; members...)
    println(server, JSON.json(Dict("verb" => verb, (string(k) => v for (k, v) in members)...)))
    flush(server)
    answer = JSON.parse(readline(server))
    answer["code"] in (0, 3) || error(answer["error"]["error"])  # 3: nothing left to suggest
    answer["result"]
end

loss(p) = (p["x"] - 0.3)^2 + (p["mode"] == "damped" ? p["damping"] : 0.1)

while (trial = ask("suggest")) !== nothing
    ask("observe"; trial = trial["id"], value = loss(trial["params"]))
end
println("best ", ask("best")["values"]["loss"])
close(server)
