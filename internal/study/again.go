package study

// Again is a trial with the verdict that answers its report at p once more, to its reporter
// (nil: to the asker of its leg): only the holder of the leg under way is answered to go on. A leg is the reporter's if the report was made in it, or if it
// was given as the report's answer, and so was decided from the records before the report.
func (t *Trial) Again(p *Point) Trial {
	c, out := t.Course, *t
	out.Course = c.Clone()
	switch t.State {
	case Complete:
		out.Course.Verdict = VerdictDone
	case Paused:
		out.Course.Verdict = VerdictPause
	case Pending:
		out.Course.Verdict = VerdictPause
		if n := c.Leg(); p == nil || p.Leg == n || p.Leg == n-1 && c.Last().Seen < p.Seq {
			out.Course.Verdict = VerdictGo
		}
	default:
		out.Course.Verdict = VerdictStop
	}
	return out
}

// Newest is the report that came last; nil: there is none.
func (c *Course) Newest() *Point {
	var newest *Point
	for i := range c.Points {
		if newest == nil || c.Points[i].Seq >= newest.Seq {
			newest = &c.Points[i]
		}
	}
	return newest
}
