/** What the checkbox of a group shows, from how many of its members are picked. */
export function triState(picked: number, all: number): boolean | 'indeterminate' {
  if (picked === 0) return false
  return picked === all ? true : 'indeterminate'
}
