import type { ReactNode } from 'react'
import { requireAdmin } from '@/lib/auth/require-user'

// The pages guard themselves; asking here too, above their loading boundaries, lets the refusal carry status 403.
export default async function ModelsLayout({ children }: { children: ReactNode }) {
  await requireAdmin()
  return children
}
