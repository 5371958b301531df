type Pace = {
  enabled: boolean
  amount: number
  spent: number
  now: Date
  /** When this window, or the budget, began. */
  countedFrom: Date
  resetsAt: Date
}

/**
 * When a budget is used up if its window goes on as it went so far; the moment itself when it is, null when it lasts until
 * it resets or nothing was spent yet.
 */
export function fullAt({ enabled, amount, spent, now, countedFrom, resetsAt }: Pace): Date | null {
  if (!enabled || spent <= 0) return null
  if (spent >= amount) return now
  const passedMs = Math.max(1, now.getTime() - countedFrom.getTime())
  const at = now.getTime() + ((amount - spent) / spent) * passedMs
  return at < resetsAt.getTime() ? new Date(Math.round(at)) : null
}
