import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Shows an empty list: one sentence about its purpose, and the first step. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-md border border-dashed bg-surface-1 px-6 py-12 text-center">
      <Icon className="size-5 text-muted" aria-hidden />
      <p className="font-medium text-strong">{title}</p>
      {children && <div className="max-w-prose text-balance text-muted">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
