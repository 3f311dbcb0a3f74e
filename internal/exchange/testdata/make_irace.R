# Makes irace/: irace.Rdata, the log of a run of irace over the files beside it, and
# irace-configurations.csv and irace-experiments.csv, the two tables of it as R writes them.
#
# Run in this directory: Rscript make_irace.R
library(irace)
dir.create("irace", showWarnings = FALSE)
setwd("irace")
writeLines(c(
  "# name   switch        type  values            condition",
  'algorithm "--"           c    (as, mmas, acs)',
  'ants      "--ants "      i,log (5, 100)',
  'alpha     "--alpha "     r    (0.00, 5.00)',
  'q0        "--q0 "        r    (0.0, 1.0)       | algorithm == "acs"',
  'size      "--size "      o    (small, medium, large) | algorithm %in% c("as", "mmas")'
), "parameters.txt")
writeLines(c(
  "parameterFile = \"./parameters.txt\"",
  "targetRunner = \"./target-runner --fast\"",
  "trainInstancesText = \"a b\"",
  "maxExperiments = 180",
  "digits = 2",
  "seed = 5"
), "scenario.txt")
runner <- function(experiment, scenario) {
  x <- experiment$configuration
  cost <- (x[["alpha"]] - 1)^2 + abs(log(x[["ants"]] / 20)) + c(a = 0, b = 0.1)[[experiment$id.instance]]
  if (!is.na(x[["q0"]])) cost <- cost + (x[["q0"]] - 0.9)^2
  list(cost = cost)
}
scenario <- list(targetRunner = runner, instances = c("a", "b"), maxExperiments = 180, seed = 5, digits = 2,
                 logFile = "irace.Rdata", firstTest = 2, eachTest = 1)
parameters <- readParameters("parameters.txt", digits = 2)
invisible(capture.output(irace(scenario, parameters)))
load("irace.Rdata")
write.csv(iraceResults$allConfigurations, "irace-configurations.csv", row.names = FALSE)
write.csv(iraceResults$experiments, "irace-experiments.csv")
writeLines(paste("irace", packageVersion("irace"), R.version.string), "versions.txt")
