import { SlidersHorizontal } from 'lucide-react'
import { EmptyState } from '@/components/ui/empty-state'
import type { Role } from '@/lib/protocol/tool'

/** Nothing can be run yet: whose turn it is, and to do what. */
export function NoConfiguration({ role }: { role: Role }) {
  if (role === 'member') {
    return (
      <EmptyState icon={SlidersHorizontal} title="No configuration is open to you yet.">
        Ask an admin to add you to a group that may use one.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={SlidersHorizontal} title="There is no configuration yet.">
      <p>A configuration says which model runs a prompt. Add one in a terminal:</p>
      <p className="mt-2 font-mono text-mono text-normal [overflow-wrap:anywhere]">
        npx toolgate configuration add --connection NAME --model MODEL --identifier NAME --name NAME
      </p>
    </EmptyState>
  )
}
