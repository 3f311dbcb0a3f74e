package journal

// A field is one name in a line, as a bit.
type field uint64

const (
	fSeq field = 1 << iota
	fPrev
	fT
	fAt
	fTrial
	fTag
	fKey
	fWorker
	fFlags
	fParams
	fSource
	fFrom
	fFit
	fCut
	fSpare
	fQueue
	fState
	fFailure
	fValues
	fCost
	fStderr
	fRaw
	fNote
	fBohier
	fMinReader
	fRun
	fLock
	fSeed
	fSpace
	fStudy
	fFill
	fPlan
	fModel
	fOptional
	fMetrics
	fDuration
	fResource
	fLeg
	fStart
	fTo
	fVerdict
	fCurve
	fStderrs
	fCRC
)

var fieldNames = map[string]field{
	"seq": fSeq, "prev": fPrev, "t": fT, "at": fAt, "trial": fTrial, "tag": fTag, "key": fKey,
	"worker": fWorker, "flags": fFlags, "params": fParams, "source": fSource, "from": fFrom,
	"fit": fFit, "plan": fPlan, "model": fModel, "cut": fCut, "spare": fSpare, "queue": fQueue, "state": fState,
	"failure": fFailure, "values": fValues, "cost": fCost, "stderr": fStderr, "stderrs": fStderrs, "raw": fRaw,
	"note": fNote, "bohier": fBohier, "min_reader": fMinReader, "run": fRun, "lock": fLock,
	"seed": fSeed, "space": fSpace, "study": fStudy, "fill": fFill, "optional": fOptional,
	"resource": fResource, "leg": fLeg, "start": fStart, "to": fTo, "verdict": fVerdict, "curve": fCurve,
	"metrics": fMetrics, "duration": fDuration, "crc": fCRC,
}

const (
	frame   = fSeq | fPrev | fT | fCRC
	outcome = fState | fFailure | fValues | fCost | fStderr | fStderrs | fRaw | fNote
)

// rules says which fields a kind must and may carry beside the frame and `at`.
var rules = map[Kind]struct{ must, may field }{
	KindHeader:    {fBohier | fMinReader | fRun | fLock | fSeed, fSpace | fStudy},
	KindReserve:   {fTrial | fTag, fKey | fWorker | fFlags | fStart | fTo | fFrom | fCut},
	KindSuggest:   {fTrial | fTag | fParams, fKey | fWorker | fFlags | fSource | fFrom | fFit | fCut | fSpare | fQueue | fStart | fTo},
	KindPlan:      {fTrial | fTag, fPlan | fModel},
	KindObserve:   {fTrial | fTag | fState, outcome | fParams | fResource | fLeg},
	KindReplace:   {fTrial | fTag | fState, outcome | fParams | fResource | fLeg},
	KindReplicate: {fTrial | fTag | fState, fKey | outcome},
	KindPartial:   {fTrial | fTag | fValues, fCost | fStderr | fStderrs | fNote},
	KindAbandon:   {fTrial | fTag, fNote | fLeg},
	KindRelease:   {fTrial | fTag, fNote | fLeg},
	KindReturn:    {fTrial | fTag, fWorker | fNote},
	KindTake:      {fTrial | fTag, fWorker | fKey},
	KindEnqueue:   {fParams, fKey | fNote | fStart},
	KindAdd:       {fTrial | fTag | fParams | fState, outcome | fKey | fSource | fResource | fCurve | fStart},
	KindMigrate:   {fSpace | fStudy, fFill | fNote},
	KindMeasure:   {fTrial | fTag | fOptional, fMetrics | fDuration},
	KindRemark:    {fTrial | fTag | fNote | fOptional, 0},
	KindReport:    {fTrial | fTag | fState | fResource, outcome | fParams | fLeg | fVerdict | fCurve},
	KindPromote:   {fTrial | fTag | fLeg | fTo, fKey | fWorker | fFlags | fSource | fFrom | fCut},
	KindNote:      {0, fNote | fStudy | fSeed},
}
