import type { ReactNode } from 'react'
import { requireAdmin } from '@/lib/auth/require-user'

// The pages guard themselves; asking here too, above their loading boundary, lets the refusal carry status 403.
export default async function TasksLayout({ children }: { children: ReactNode }) {
  await requireAdmin()
  return children
}
