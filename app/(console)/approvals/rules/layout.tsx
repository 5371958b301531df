import type { ReactNode } from 'react'
import { requireAdmin } from '@/lib/auth/require-user'

// The pages guard themselves; asking here too, above the loading boundary, lets the refusal carry status 403.
export default async function RulesLayout({ children }: { children: ReactNode }) {
  await requireAdmin()
  return children
}
