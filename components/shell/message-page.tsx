import { type LucideIcon, SearchX } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'

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

export function NotFoundPage() {
  return (
    <MessagePage
      icon={SearchX}
      title="Page not found, or you don’t have access"
      action={
        <Button asChild variant="primary">
          <Link href="/playground">Go to the Playground</Link>
        </Button>
      }
    >
      <p>Check the address.</p>
    </MessagePage>
  )
}
