const colours = 6

/** One colour a part, in order; the rest together is grey. */
export function seriesColour(id: string, index: number): string {
  return id === 'rest' ? 'var(--color-line-strong)' : `var(--data-${(index % colours) + 1})`
}
