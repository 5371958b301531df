import type { ReactNode } from 'react'
import { PageHead } from '@/components/ui/page-head'
import { ViewTabs } from '@/components/ui/view-tabs'
import type { Role } from '@/lib/protocol/tool'

const views = [
  { label: 'Your notes', href: '/memory' },
  { label: 'People', href: '/memory/people' },
] as const

/** Shows the heading of the pages about memory; for admins, with links between them. */
export function MemoryHead({
  current,
  role,
  action,
  children,
}: {
  current: (typeof views)[number]['href']
  role: Role
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <PageHead title="Memory" action={action}>
        {children}
      </PageHead>
      {role === 'admin' && <ViewTabs label="Views of memory" views={views} current={current} />}
    </>
  )
}
