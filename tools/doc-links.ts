import { stat } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import type { SourceFile } from './source-files.ts'

/** Links of the documents to files of this repository that are not there. Links into the web and inside a page are left alone. */
export async function brokenLinks(root: string, files: readonly SourceFile[]): Promise<string[]> {
  const links = files.filter(({ path }) => path.endsWith('.md')).flatMap(relativeLinks)
  const checked = await Promise.all(links.map(async (link) => ({ ...link, there: await exists(join(root, link.target)) })))
  return checked.filter(({ there }) => !there).map(({ path, target }) => `${path}: links to ${target}, which does not exist`)
}

function relativeLinks({ path, text }: SourceFile): { path: string; target: string }[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    const [target = ''] = link.split('#')
    if (target === '' || /^[a-z]+:/.test(target)) return []
    return [{ path, target: posix.normalize(posix.join(dirname(path), target)) }]
  })
}

const withoutCode = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
