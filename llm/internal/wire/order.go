package wire

import "fmt"

// Order says where the items of a reply belong. indices holds what each item says of itself, nil for
// nothing; n items are due. place[i] is the position of item i.
//
// Items that all say nothing are taken in the order they came, where positional allows that. Anything else
// than one item per position is refused: which of two vectors is the right one cannot be told, and the
// others are then in doubt as well.
func Order(indices []*int, n int, positional bool) (place []int, err error) {
	if len(indices) != n {
		return nil, fmt.Errorf("%d items where %d are due", len(indices), n)
	}
	silent := 0
	for _, p := range indices {
		if p == nil {
			silent++
		}
	}
	place = make([]int, n)
	if silent == n && positional {
		for i := range place {
			place[i] = i
		}
		return place, nil
	}
	if silent > 0 {
		return nil, fmt.Errorf("%d of %d items have no index", silent, n)
	}
	seen := make([]bool, n)
	for i, p := range indices {
		switch {
		case *p < 0 || *p >= n:
			return nil, fmt.Errorf("index %d where 0 to %d are due", *p, n-1)
		case seen[*p]:
			return nil, fmt.Errorf("index %d is given twice", *p)
		}
		seen[*p] = true
		place[i] = *p
	}
	return place, nil
}
