import type { ReactNode } from 'react'
import { requireAdmin } from '@/lib/next/require-user'

/**
 * Refuses members. Every page also checks the role itself. The check in this layout is above the loading boundaries,
 * so that the refusal has status 403.
 */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  await requireAdmin()
  return children
}
