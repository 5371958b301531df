import type { DescribedEndpoint, DescribedField } from '@toolgate/server/doors/openapi'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { CopyButton } from '@/components/ui/copy-button'
import type { Role } from '@/lib/protocol/tool'

/** Shows one method of one address: a line that opens to all its parameters, bodies and answers. */
export function EndpointDetails({ endpoint, role }: { endpoint: DescribedEndpoint; role: Role }) {
  const { id, method, path, summary, scopes, parameters, body, answers, example } = endpoint
  const isClosed = endpoint.role === 'admin' && role !== 'admin'
  return (
    <details id={id} className="group scroll-mt-16 px-3 py-2">
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        <code className="w-14 shrink-0 font-medium font-mono text-xs">{method}</code>
        <code className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">{path}</code>
        {endpoint.role === 'admin' && <Badge>Admins</Badge>}
        <span className="w-full pl-7 text-muted text-sm">{summary}</span>
      </summary>
      <div className="flex flex-col gap-3 pt-3 pb-1 pl-7 text-sm">
        <p>
          {scopes.length > 0 ? (
            <>
              {scopes.length > 1 ? 'Scopes' : 'Scope'} of the key:{' '}
              <code className="font-mono">{scopes.join(', ')}</code>
            </>
          ) : (
            'Signed-in people only.'
          )}
          {isClosed && '. Admins only.'}
        </p>
        <Fields title="Path" fields={parameters.filter((field) => field.in === 'path')} />
        <Fields title="Query" fields={parameters.filter((field) => field.in === 'query')} />
        {body === 'application/octet-stream' ? (
          <Part title="Body">The bytes of a file.</Part>
        ) : (
          <Fields title="Body" fields={body} />
        )}
        <Part title="Answers">
          <ul>
            {answers.map(({ status, type }) => (
              <li key={status}>
                <code className="font-mono">{status}</code> {type}
              </li>
            ))}
          </ul>
        </Part>
        <div className="flex items-start gap-1 rounded-md bg-surface-2 p-1">
          <pre className="min-w-0 flex-1 overflow-x-auto p-2 font-mono text-xs">{example}</pre>
          <CopyButton text={example} what="request" />
        </div>
      </div>
    </details>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <div className="text-muted">{children}</div>
    </div>
  )
}

function Fields({ title, fields }: { title: string; fields: readonly DescribedField[] }) {
  if (fields.length === 0) return null
  return (
    <Part title={title}>
      <ul>
        {fields.map(({ name, type, required }) => (
          <li key={name} className="[overflow-wrap:anywhere]">
            <code className="font-mono text-text">{name}</code> {type}
            {required && ', required'}
          </li>
        ))}
      </ul>
    </Part>
  )
}
