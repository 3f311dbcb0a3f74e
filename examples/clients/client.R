library(jsonlite)
dir <- tempfile(); dir.create(dir)  # R's pipes go one way, so two named ones
to <- file.path(dir, "in"); from <- file.path(dir, "out")
system2("mkfifo", c(to, from))
system(paste("bohier serve --stdio <", to, ">", from), wait = FALSE)
server <- list(input = fifo(to, "w", blocking = TRUE), output = fifo(from, "r", blocking = TRUE))

ask <- function(...) {
  writeLines(toJSON(list(...), auto_unbox = TRUE, digits = NA), server$input)
  flush(server$input)
  answer <- fromJSON(readLines(server$output, 1), simplifyVector = FALSE)
  if (!answer$code %in% c(0, 3)) stop(answer$error$error)  # 3: nothing left to suggest
  answer$result
}

loss <- function(x, mode, damping = 0.2) (x - 0.3)^2 + if (mode == "damped") damping else 0.1

while (!is.null(trial <- ask(verb = "suggest")))
  ask(verb = "observe", trial = trial$id, value = do.call(loss, trial$params))
cat("best", ask(verb = "best")$values$loss, "\n")
