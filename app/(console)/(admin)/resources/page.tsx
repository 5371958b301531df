import { redirect } from 'next/navigation'
import { requireAdmin } from '@/lib/next/require-user'
import { resourceViews } from './resource-tabs'

/** Leads to the first view of resources. */
export default async function ResourcesPage() {
  await requireAdmin()
  redirect(resourceViews[0].href)
}
