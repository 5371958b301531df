import { SlidersHorizontal } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import type { Role } from '@/lib/protocol/tool'

/**
 * Says why nothing can be run, and what to do. `closed`: the number of configurations that exist but cannot be used
 * now.
 */
export function NoConfiguration({ role, closed }: { role: Role; closed: number }) {
  if (role === 'member') {
    return (
      <EmptyState icon={SlidersHorizontal} title="You may not use any configuration yet.">
        Ask an admin to add you to a group that may use one.
      </EmptyState>
    )
  }
  if (closed > 0) {
    return (
      <EmptyState
        icon={SlidersHorizontal}
        title="No configuration can be used now."
        action={
          <Button asChild variant="primary">
            <Link href="/configurations">Open the configurations</Link>
          </Button>
        }
      >
        {closed === 1
          ? '1 configuration exists, but it'
          : `${closed} configurations exist, but each`}{' '}
        is switched off, or its model or connection is.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={SlidersHorizontal}
      title="No configurations yet."
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button asChild variant="primary">
            <Link href="/connections">Connect a provider</Link>
          </Button>
          <Button asChild>
            <Link href="/configurations/new">Add a configuration</Link>
          </Button>
        </div>
      }
    >
      A configuration sets which model runs a prompt. First add a connection to a provider and one
      of its models.
    </EmptyState>
  )
}
