# Prints the log of irace as JSON lines: the scenario with its parameters, then a
# configuration a line.
#
#     Rscript irace.R irace.Rdata > race.jsonl
#
# These commands read the lines: bohier init --from irace:race.jsonl, bohier import
# irace:race.jsonl and bohier add --json race.jsonl. Base R suffices.

text <- function(x) {
  x <- gsub("\\", "\\\\", enc2utf8(as.character(x)), fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  x <- gsub("\n", "\\n", x, fixed = TRUE)
  paste0("\"", gsub("[[:cntrl:]]", " ", x), "\"")
}
number <- function(x) ifelse(as.numeric(format(x, digits = 15)) == x, format(x, digits = 15), format(x, digits = 17))
object <- function(fields) paste0("{", paste(text(names(fields)), unlist(fields), sep = ": ", collapse = ", "), "}")
array <- function(items) paste0("[", paste(items, collapse = ", "), "]")

# A condition or forbidden clause as R writes it.
source_of <- function(e) {
  if (!is.null(attr(e, "source"))) return(attr(e, "source"))
  if (is.expression(e)) e <- e[[1]]
  paste(deparse(e, width.cutoff = 500L), collapse = " ")
}

# The parameters in the form of a file of parameters.
declared <- function(p, digits) {
  domains <- if (is.null(p$domains)) p$domain else p$domains
  lines <- vapply(p$names, function(n) {
    log <- if (is.null(p$transform)) vapply(p$.params[n], function(q) q$transform, "") else p$transform[[n]]
    condition <- p$conditions[[n]]
    values <- domains[[n]]
    values <- if (is.expression(values)) vapply(values, source_of, "") else if (is.character(values)) text(values) else vapply(values, number, "")
    paste0(n, " ", text(p$switches[[n]]), " ", p$types[[n]], if (identical(as.character(log), "log")) ",log",
           " (", paste(values, collapse = ", "), ")", if (!isTRUE(condition)) paste(" |", source_of(condition)))
  }, "")
  forbidden <- vapply(as.list(p$forbidden), source_of, "")
  c(lines, if (length(forbidden)) c("[forbidden]", forbidden), if (length(digits)) c("[global]", paste("digits =", digits)))
}

main <- function(file) {
  into <- new.env()
  suppressWarnings(load(file, envir = into))
  log <- into$iraceResults
  all <- log$allConfigurations
  results <- log$experiments
  if (is.null(all) || is.null(results)) stop("there are no results of irace in it")
  parameters <- if (is.null(log$parameters)) log$scenario$parameters else log$parameters
  digits <- log$scenario$digits  # irace 4 has them in each real parameter
  if (is.null(digits)) digits <- unique(unlist(lapply(parameters$.params, function(q) q$digits)))
  if (length(digits) > 1) digits <- max(digits)
  head <- list(import = text("irace"), objectives = array(object(list(name = text("objective"), direction = text("minimize")))))
  if (!is.null(parameters)) head$space <- text(paste(declared(parameters, digits), collapse = "\n"))
  if (isTRUE(log$scenario$maxExperiments > 0)) head$budget <- number(log$scenario$maxExperiments)
  if (is.character(log$scenario$targetRunner)) head$command <- array(text(strsplit(log$scenario$targetRunner, " +")[[1]]))
  if (length(log$scenario$instances)) head$instances <- array(text(log$scenario$instances))
  raced <- FALSE
  lines <- character()
  for (k in seq_len(nrow(all))) {
    id <- as.character(all$.ID.[k])
    values <- results[, if (is.null(colnames(results))) k else id]
    values <- values[!is.na(values)]
    if (!length(values)) {
      lines <- c(lines, object(list(name = text(id), state = text("pending"), why = text("without a result"))))
      next
    }
    params <- list()
    for (n in setdiff(names(all), c(".ID.", ".PARENT.", ".WEIGHT.")))
      if (!is.na(all[[n]][k])) params[[n]] <- if (is.numeric(all[[n]])) number(all[[n]][k]) else text(all[[n]][k])
    line <- list(name = text(id), params = object(params),
                 values = object(list(objective = number(mean(values)))))
    if (length(values) > 1) {
      raced <- TRUE
      line$stderr <- number(sd(values) / sqrt(length(values)))
    }
    line$metrics <- object(list(instances = length(values)))
    lines <- c(lines, object(line))
  }
  if (raced) head$notes <- array(text("of each configuration the mean over the instances that it raced on counts, with its standard error; the configurations met different instances"))
  writeLines(c(object(head), lines))
}

tryCatch({
  arguments <- commandArgs(TRUE)
  if (length(arguments) != 1) stop("usage: Rscript irace.R irace.Rdata")
  main(arguments[1])
}, error = function(e) {
  message(strsplit(conditionMessage(e), "\n")[[1]][1])
  quit(status = 1)
})
