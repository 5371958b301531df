import type { ToolReach } from '@toolgate/server/toolset/tools/tool-reach'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Fact } from '@/components/ui/fact'

const kinds = [
  ['configurations', 'Configurations', '/configurations'],
  ['tasks', 'Tasks', '/tasks'],
  ['schedules', 'Schedules', '/schedules'],
  ['skills', 'Skills', '/skills'],
] as const

/** Shows what loses a tool when it is switched off, or gets it when it is switched on. */
export function Reach({ reach }: { reach: ToolReach }) {
  if (kinds.every(([kind]) => reach[kind].length === 0)) {
    return <p className="text-muted">No configuration allows it, and no skill lists it.</p>
  }
  return (
    <dl className="grid max-w-4xl grid-cols-1 gap-4 sm:grid-cols-2 md:grid-cols-4">
      {kinds.map(([kind, label, path]) => (
        <Fact key={kind} label={label}>
          {reach[kind].length === 0 ? (
            'None'
          ) : (
            <ul className="list-none">
              {reach[kind].map(({ id, name }) => (
                <li key={id} className="[overflow-wrap:anywhere]">
                  <Link href={`${path}/${id}`} className="text-link hover:underline">
                    <VisibleText text={name} />
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Fact>
      ))}
    </dl>
  )
}
