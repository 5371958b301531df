import type { ReactNode } from 'react'
import { requireAdmin } from '@/lib/auth/require-user'

// The page guards itself; asking here too, above its loading boundary, lets the refusal carry status 403.
export default async function BudgetsLayout({ children }: { children: ReactNode }) {
  await requireAdmin()
  return children
}
