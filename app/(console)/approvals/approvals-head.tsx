import Link from 'next/link'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { PageHead } from '@/components/ui/page-head'
import type { Role } from '@/lib/protocol/tool'

type View = 'pending' | 'decided' | 'rules'

const views: readonly { view: View; label: string; href: string; role: Role }[] = [
  { view: 'pending', label: 'Pending', href: '/approvals', role: 'member' },
  { view: 'decided', label: 'Decided', href: '/approvals/decided', role: 'member' },
  { view: 'rules', label: 'Rules', href: '/approvals/rules', role: 'admin' },
]

/** Shows the heading of all views of approvals, with links between them. */
export function ApprovalsHead({
  current,
  role,
  action,
  children,
}: {
  current: View
  role: Role
  action?: ReactNode
  children: ReactNode
}) {
  const shown = views.filter((each) => role === 'admin' || each.role === 'member')
  return (
    <>
      <PageHead title="Approvals" action={action}>
        {children}
      </PageHead>
      <nav aria-label="Views of approvals" className="border-b">
        <ul className="-mb-px flex gap-4">
          {shown.map(({ view, label, href }) => (
            <li key={view}>
              <Link
                href={href}
                aria-current={view === current ? 'page' : undefined}
                className={cn(
                  'inline-flex h-9 items-center border-b-2 transition-colors pointer-coarse:h-11',
                  view === current
                    ? 'border-link font-medium text-strong'
                    : 'border-transparent text-muted hover:text-strong',
                )}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}
