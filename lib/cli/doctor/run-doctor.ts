export async function runDoctor(_: { json?: boolean }) {
  return 0
}
