/** Returns "w1 w2 … wn", in which a lost or doubled word is noticed. */
export function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `w${index + 1}`).join(' ')
}
