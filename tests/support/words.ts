/** "w1 w2 … wn": no word can be lost or doubled without being noticed. */
export function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `w${index + 1}`).join(' ')
}
