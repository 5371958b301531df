import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Shows a page that is only a message: what happened, why, what to do. */
export function MessagePage({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon
  title: string
  children: ReactNode
  action: ReactNode
}) {
  return (
    <div className="mx-auto flex max-w-120 flex-col items-start gap-3 px-4 pt-[16dvh] pb-12">
      <Icon className="size-6 text-muted" aria-hidden />
      <h1 className="text-xl">{title}</h1>
      <div className="flex flex-col gap-2">{children}</div>
      <div className="mt-2 flex gap-2">{action}</div>
    </div>
  )
}
