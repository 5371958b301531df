/** Ends the process with one sentence when Node is older than package.json asks for. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `Toolgate needs Node 20.19 or newer, and this is ${process.versions.node}: see https://nodejs.org.`,
  )
  process.exit(1)
}
