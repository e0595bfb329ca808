import { expect, test } from 'vitest';
import { demoPhoto } from '../../dev/tools/intake/record-transcripts.ts';
import { register, tenantRows } from '../support/accounts.ts';
import { annotate, readAnswers, wholeAnswer } from '../support/answers.ts';
import { testApp } from '../support/app.ts';
import { actOnCase, caseAnswers, createCase, getCase, updateCase } from '../support/cases.ts';
import { skinPhoto } from '../support/images.ts';
import { newPhysician, takeNext } from '../support/queue-stage.ts';
import { storePhoto } from '../support/stored-images.ts';

// Patient and physician, from the first photo to the answer that is read, with the reference AI service.

const app = await testApp({ ai: 'real' });
const photo = await demoPhoto();
const better = await skinPhoto({ width: 640, height: 480, format: 'jpeg' });

const words = {
  en: {
    question: 'Please take a photo from nearer.',
    reply: 'Here it is.',
    diagnosis: 'Atopic eczema',
    message: 'This is not contagious.',
    // Of the text that is frozen when it is signed.
    rendered: 'Diagnosis: Atopic eczema',
  },
  he: {
    question: 'נא לצלם מקרוב יותר.',
    reply: 'הנה התמונה.',
    diagnosis: 'אטופיק דרמטיטיס',
    message: 'זה לא מידבק.',
    rendered: 'אבחנה',
  },
} as const;

test.each(['en', 'he'] as const)(
  'in %s: sent, taken, asked for a better photo, replied to, signed and read',
  async (language) => {
    const said = words[language];
    const [{ access_token: patient }, doctor] = await Promise.all([
      register(app),
      newPhysician(app, { languages: [language] }),
    ]);
    const headers = { 'accept-language': language };
    const first = await storePhoto(app, patient, photo);
    const sent = await createCase(
      app,
      patient,
      {
        language,
        anamnesis: { ...caseAnswers, language },
        images: [{ name: first.uuid }],
        consent: { version: '1', accepted: true },
        submit: true,
      },
      { headers },
    );
    expect(sent).toMatchObject({ status: 201, patient_status: 'waiting', answer_available: false });
    const { uuid } = sent;

    const taken = await takeNext(app, doctor, {}, { headers });
    expect(taken.case).toMatchObject({
      uuid,
      status: 'in_review',
      allowed_actions: expect.arrayContaining(['hold', 'sign']) as string[],
    });
    const held = await app.request(`/api/v1/backoffice/cases/${uuid}/status`, {
      json: {
        action: 'hold',
        pending_status: 'awaiting_patient',
        message: said.question,
        version: taken.case?.version,
      },
      token: doctor.token,
    });
    expect(held.status).toBe(200);

    const asked = await getCase(app, patient, uuid);
    expect(asked).toMatchObject({ patient_status: 'action_needed', messages: [{ text: said.question }] });
    const second = await storePhoto(app, patient, better);
    const replied = await updateCase(app, patient, {
      uuid,
      version: asked.version,
      images: [{ name: first.uuid }, { name: second.uuid, kind: 'close_up' }],
      message: said.reply,
      submit: true,
    });
    expect(replied).toMatchObject({ status: 200, patient_status: 'waiting' });

    // Reserved for the physician who has asked.
    const again = await takeNext(app, doctor, {}, { headers });
    expect(again.case).toMatchObject({ uuid, image_count: 2 });
    const [diagnosis] = wholeAnswer.diagnoses;
    const signed = await annotate(app, doctor, uuid, {
      diagnoses: [{ ...diagnosis, text: said.diagnosis }],
      patient_message: said.message,
      language,
      sign: true,
    });
    expect(signed).toMatchObject({ httpStatus: 201, status: 'final' });
    expect((await readAnswers(app, patient, uuid)).answers).toEqual([]);

    // Five minutes later.
    await tenantRows(
      app,
      `UPDATE request_records SET publish_at = publish_at - interval '5 minutes' WHERE uuid = $1`,
      [uuid],
    );
    await app.runTimer('publishAnswers');
    const { answers } = await readAnswers(app, patient, uuid);
    expect(answers).toMatchObject([{ language, patient_message: said.message }]);
    for (const part of [said.rendered, said.diagnosis, said.message])
      expect(answers[0]?.rendered_text).toContain(part);
    expect(await getCase(app, patient, uuid)).toMatchObject({
      patient_status: 'answered',
      answer_available: true,
      answer_read_at: null,
      messages: [{ text: said.question }, { text: said.reply }],
    });
    const read = await actOnCase(app, patient, uuid, { action: 'acknowledge' });
    expect(read).toMatchObject({
      status: 200,
      patient_status: 'answered',
      answer_read_at: expect.any(String) as string,
    });
  },
);
