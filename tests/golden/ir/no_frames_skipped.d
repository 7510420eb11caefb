/*
 * Where a stack has no frames to leave out, nothing is computed for them.
 * @only slot body stack others frames cut taken
 */
profile-97 { @[stack()] = count(); }
