import { SlidersHorizontal } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import type { Role } from '@/lib/protocol/tool'

/** Nothing can be run yet: whose turn it is, and to do what. */
export function NoConfiguration({ role }: { role: Role }) {
  if (role === 'member') {
    return (
      <EmptyState icon={SlidersHorizontal} title="You may not use any configuration yet.">
        Ask an admin to add you to a group that may use one.
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
