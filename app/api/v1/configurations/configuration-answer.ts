import type { EditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'

/** A configuration with its version, which a change names in `If-Match` or in its body. */
export function configurationAnswer(
  { id, version, form }: EditableConfiguration,
  status = 200,
): Response {
  return Response.json({ id, version, ...form }, { status, headers: { etag: `"${version}"` } })
}
