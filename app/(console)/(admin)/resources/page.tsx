import { redirect } from 'next/navigation'
import { requireAdmin } from '@/lib/next/require-user'
import { describedNouns, pathOf } from '@/lib/protocol/nouns'

/** Leads to the first view of resources. */
export default async function ResourcesPage() {
  await requireAdmin()
  redirect(pathOf(describedNouns.hosts))
}
