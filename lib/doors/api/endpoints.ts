import { budgetEndpoints } from './budgets'
import type { Endpoint } from './endpoint'
import { freezeEndpoints } from './freeze'
import { runEndpoints } from './runs'

/** Everything that `/api/v1` serves. */
export const endpoints: readonly Endpoint[] = [
  ...runEndpoints,
  ...freezeEndpoints,
  ...budgetEndpoints,
]
