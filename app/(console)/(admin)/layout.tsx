import type { ReactNode } from 'react'
import { requireAdmin } from '@/lib/auth/require-user'

/**
 * Refuses whoever is no admin. Every page asks by itself, too; asking here, above the loading boundaries, lets the
 * refusal carry status 403.
 */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  await requireAdmin()
  return children
}
