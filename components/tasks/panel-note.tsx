import { CodeText } from '@/components/trace/code-text'
import { VisibleText } from '@/components/trace/visible-text'
import { membersOf, panelWords } from '@/lib/domains/tasks/shared/panel-of-task'
import type { TaskPanel } from '@/lib/domains/tasks/shared/task-panel'
import { roleWords } from '@/lib/protocol/panel/role-words'

/** Shows that a task runs as a panel, with its members and the tools that they may have. */
export function PanelNote({ panel }: { panel: TaskPanel }) {
  const named = membersOf(panel).flatMap(({ role, configuration }) => {
    if (configuration === null) return []
    return role ? `${roleWords[role]}: ${configuration}` : configuration
  })
  const others = panel.kind === 'coordinate' && named.length < membersOf(panel).length
  const picked = named.length === 0 ? 'All with' : 'The others with'
  return (
    <div className="text-muted text-sm [overflow-wrap:anywhere]">
      <p>{panelWords(panel)}.</p>
      <p>
        <VisibleText text={named.join(' · ')} />
        {others && `${named.length > 0 ? ' · ' : ''}${picked} the picked configuration.`}
      </p>
      {panel.tools.length > 0 && (
        <p>
          Tools, where the gates allow them: <CodeText text={panel.tools.join(', ')} />
        </p>
      )}
    </div>
  )
}
