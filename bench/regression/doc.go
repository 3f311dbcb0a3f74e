// Package regression repeats the regression studies of two papers with the program's own surrogate:
//
//   - Oh, Gavves & Welling (2021), Supp. §6: six kernels for mixed inputs on
//     Servo, Meta-data and Optical Interconnection Network, 20 random splits;
//   - Swersky, Duvenaud, Snoek, Hutter & Osborne (2013), Table 1: models for
//     conditional inputs on the results of tuning neural networks, 10 folds.
//
// Start from [Tasks], which lists the fits of a study, and [Task.Run], which makes one [Result]; [Report] prints the
// results beside the published ones. The data are read from files ([Load]) in the form their sources publish.
package regression
