package report

import "errors"

func hurlFile(*plot) (string, error) { return "", errors.New("x") }
func httpFile(*plot) (string, error) { return "", errors.New("x") }
func goTest(*plot) (string, error)   { return "", errors.New("x") }
