package policy

import (
	"slices"

	"bohier/internal/study"
)

// Acquisition is the acquisition function a study uses when it names none.
func Acquisition(st *study.Study) string {
	switch n := len(st.Objectives); {
	case st.Acquisition.Name != "":
		return st.Acquisition.Name
	case n > 3:
		return "parego"
	case n > 1:
		return "logehvi"
	}
	return "logei"
}

// LogAcquisition is the logarithmic form of an acquisition function, for products.
func LogAcquisition(name string) (string, error) {
	switch name {
	case "ei", "logei", "cei", "eipu":
		return "logei", nil
	case "pi", "logpi":
		return "logpi", nil
	case "logehvi", "parego":
		return name, nil
	}
	return "", study.Errorf(study.Usage, "use logei, or leave acquisition.name out",
		"acquisition.name: %s does not multiply with constraints, costs or priors", name)
}

// gains reports whether an acquisition function counts what a measurement would gain.
func gains(head string) bool {
	return slices.Contains([]string{"logei", "logpi", "cei", "eipu", "logehvi", "parego"}, head)
}
