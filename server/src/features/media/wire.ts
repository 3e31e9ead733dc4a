import Type from 'typebox'
import { formatId } from '../../base/id.ts'
import { type Media, mediaUrl } from './media.ts'

/** A Media as the contract shows it. */
export const mediaSchema = Type.Object(
  {
    id: Type.String({ description: 'The id of the file: `med_` and 32 hex characters; usable as `id` in a send.' }),
    object: Type.Literal('media', { description: 'What this is.' }),
    url: Type.String({ description: 'Permanent; usable as `link` in any send of this account. Whoever has it can read the file.' }),
    mime_type: Type.String({ description: 'Read from the bytes.' }),
    size_bytes: Type.Integer({ description: 'How many bytes it has.' }),
    suggested_type: Type.Unsafe<Media['kind']>({
      type: 'string',
      enum: ['image', 'audio', 'video', 'document', 'sticker'],
      description: 'The `type` of a send that this file fits.',
    }),
    file_name: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'As it was given with the bytes the first time; null: without one.',
    }),
  },
  {
    $id: 'Media',
    description: 'A file that was uploaded once and can be sent any number of times.',
    examples: [
      {
        id: 'med_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f',
        object: 'media',
        url: 'https://pombo.example/files/k3J9w2m0mZcYk0m1yqS4l6m7Qf8n2b5v1x3c9d7e0fA/Nota%204711.pdf',
        mime_type: 'application/pdf',
        size_bytes: 48213,
        suggested_type: 'document',
        file_name: 'Nota 4711.pdf',
      },
    ],
  },
)

/** The form of an upload. It is read part by part; this only documents it. */
export const uploadFormSchema = Type.Object(
  { file: Type.String({ format: 'binary', description: 'The file; its kind is read from its bytes.' }) },
  { additionalProperties: false },
)

export function mediaJson(filesUrl: string, media: Media): Type.Static<typeof mediaSchema> {
  return {
    id: formatId('med', media.id),
    object: 'media',
    url: mediaUrl(filesUrl, media),
    mime_type: media.mimeType,
    size_bytes: media.sizeBytes,
    suggested_type: media.kind,
    file_name: media.fileName,
  }
}
