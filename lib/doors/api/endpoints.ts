import { budgetEndpoints } from './budgets'
import type { Endpoint } from './endpoint'

/** Everything that `/api/v1` serves. */
export const endpoints: readonly Endpoint[] = [...budgetEndpoints]
