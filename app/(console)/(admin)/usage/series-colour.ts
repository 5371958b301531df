const colours = 6

/** Returns one colour for each part, in order; the sum of the rest is grey. */
export function seriesColour(id: string, index: number): string {
  return id === 'rest' ? 'var(--color-line-strong)' : `var(--data-${(index % colours) + 1})`
}
