import type { ReactNode } from 'react'

/** Shows a part of a call under its title. */
export function Part({
  title,
  action,
  children,
}: {
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="flex flex-col gap-1">
      <div className="flex min-h-7 items-center gap-2">
        <h5 className="font-medium text-muted text-sm">{title}</h5>
        {action && <div className="ml-auto flex items-center gap-1">{action}</div>}
      </div>
      {children}
    </section>
  )
}
