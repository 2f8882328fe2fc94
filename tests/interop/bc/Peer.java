// BouncyCastle as one of the programs of tests/interop/matrix.py: "java Peer ACTION ARGUMENTS",
// whose arguments are mostly input and output files. It exits with status 1, and a line on stderr,
// if it refuses.
import java.io.FileReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Date;
import java.util.HexFormat;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.crypto.engines.SM2Engine;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.bouncycastle.jcajce.spec.SM2ParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8DecryptorProviderBuilder;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

public class Peer {
    static final JcaPEMKeyConverter convert = new JcaPEMKeyConverter().setProvider("BC");

    static byte[] read(String path) throws Exception { return Files.readAllBytes(Path.of(path)); }
    static void write(String path, byte[] data) throws Exception {
        Files.write(Path.of(path), data);
    }

    static Object pem(String path) throws Exception {
        try (PEMParser parser = new PEMParser(new FileReader(path))) {
            return parser.readObject();
        }
    }

    static void writePem(String path, Object object) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(object);
        }
        Files.writeString(Path.of(path), text.toString());
    }

    static PrivateKey key(String path, String password) throws Exception {
        Object object = pem(path);
        if (password != null)
            object = ((PKCS8EncryptedPrivateKeyInfo)object)
                         .decryptPrivateKeyInfo(
                             new JceOpenSSLPKCS8DecryptorProviderBuilder().setProvider("BC").build(
                                 password.toCharArray()));
        return convert.getPrivateKey((PrivateKeyInfo) object);
    }

    static PublicKey pub(String path) throws Exception {
        return convert.getPublicKey((SubjectPublicKeyInfo)pem(path));
    }
    static X509CertificateHolder cert(String path) throws Exception {
        return (X509CertificateHolder)pem(path);
    }

    // The uncompressed point of the public key that belongs to a private key on a curve.
    static byte[] point(PrivateKey key) throws Exception {
        ECPrivateKeyParameters d =
            (ECPrivateKeyParameters)PrivateKeyFactory.createKey(key.getEncoded());
        return d.getParameters().getG().multiply(d.getD()).normalize().getEncoded(false);
    }

    static PublicKey publicOf(PrivateKey key) throws Exception {
        if (!key.getAlgorithm().startsWith("EC"))
            return ((org.bouncycastle.jcajce.interfaces.MLDSAPrivateKey)key).getPublicKey();
        org.bouncycastle.jce.spec.ECParameterSpec sm2 =
            org.bouncycastle.jce.ECNamedCurveTable.getParameterSpec("sm2p256v1");
        return java.security.KeyFactory.getInstance("EC", "BC")
            .generatePublic(new org.bouncycastle.jce.spec.ECPublicKeySpec(
                sm2.getCurve().decodePoint(point(key)), sm2));
    }

    static void writePub(String path, PrivateKey key) throws Exception {
        Files.writeString(Path.of(path), HexFormat.of().formatHex(point(key)) + "\n");
    }

    static KeyPair newKey(String alg) throws Exception {
        KeyPairGenerator g = KeyPairGenerator.getInstance(alg.equals("sm2") ? "EC" : alg, "BC");
        if (alg.equals("sm2")) g.initialize(new ECGenParameterSpec("sm2p256v1"));
        return g.generateKeyPair();
    }

    static Signature signature(String id) throws Exception {
        Signature s = Signature.getInstance("SM3withSM2", "BC");
        s.setParameter(new SM2ParameterSpec(id.getBytes("UTF-8")));
        return s;
    }

    // The engine has the two raw orders of C1, C2, C3, and no DER.
    static SM2Engine engine(String order) {
        return new SM2Engine(order.equals("c1c2c3") ? SM2Engine.Mode.C1C2C3
                                                    : SM2Engine.Mode.C1C3C2);
    }

    static byte[] encrypt(String pub, String order, byte[] in) throws Exception {
        SM2Engine e = engine(order);
        e.init(true, new ParametersWithRandom(PublicKeyFactory.createKey(pub(pub).getEncoded()),
                                              new SecureRandom()));
        return e.processBlock(in, 0, in.length);
    }

    static byte[] decrypt(String key, String order, byte[] in) throws Exception {
        SM2Engine e = engine(order);
        e.init(false, PrivateKeyFactory.createKey(key(key, null).getEncoded()));
        return e.processBlock(in, 0, in.length);
    }

    static String algorithm(PrivateKey key) {
        return key.getAlgorithm().startsWith("EC") ? "SM3withSM2" : key.getAlgorithm();
    }

    static ContentSigner signer(PrivateKey key) throws Exception {
        return new JcaContentSignerBuilder(algorithm(key)).setProvider("BC").build(key);
    }

    static void makeCert(String path, String keyPath) throws Exception {
        PrivateKey key = key(keyPath, null);
        X500Name name = new X500Name("C=CN,CN=BouncyCastle");
        long now = System.currentTimeMillis();
        writePem(path, new JcaX509v3CertificateBuilder(
                           name, BigInteger.valueOf(now), new Date(now - 3600000),
                           new Date(now + 86400000), name, publicOf(key))
                           .build(signer(key)));
    }

    static void cmsSign(String keyPath, String certPath, String in, String out, boolean encapsulate,
                        String coding) throws Exception {
        CMSSignedDataGenerator g = new CMSSignedDataGenerator();
        PrivateKey key = key(keyPath, null);
        g.addSignerInfoGenerator(
            new JcaSignerInfoGeneratorBuilder(
                new JcaDigestCalculatorProviderBuilder().setProvider("BC").build())
                .build(signer(key), cert(certPath)));
        g.addCertificate(cert(certPath));
        write(out, g.generate(new CMSProcessableByteArray(read(in)), encapsulate)
                       .getEncoded(coding));
    }

    @SuppressWarnings("unchecked")
    static void cmsVerify(CMSSignedData message, String out) throws Exception {
        for (SignerInformation s : message.getSignerInfos().getSigners()) {
            X509CertificateHolder c = (X509CertificateHolder)message.getCertificates()
                                          .getMatches(s.getSID())
                                          .iterator()
                                          .next();
            if (!s.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(c)))
                throw new Exception("the signature does not verify");
        }
        if (message.getSignerInfos().size() == 0) throw new Exception("there is no signer");
        if (out != null) write(out, (byte[]) message.getSignedContent().getContent());
    }

    static void act(String[] a) throws Exception {
        switch (a[0]) {
        case "new" -> {
            KeyPair k = newKey("sm2");
            writePem(a[1], new JcaPKCS8Generator(k.getPrivate(), null));
            writePub(a[2], k.getPrivate());
        }
        case "new-mldsa" -> writePem(a[1], new JcaPKCS8Generator(newKey(a[2]).getPrivate(), null));
        case "new-locked" -> {
            KeyPair k = newKey("sm2");
            writePem(a[1], new JcaPKCS8Generator(
                k.getPrivate(), new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                                    .setProvider("BC").setPassword(a[3].toCharArray()).build()));
            writePub(a[2], k.getPrivate());
        }
        case "pub" -> writePub(a[2], key(a[1], null));
        case "pub-locked" -> writePub(a[2], key(a[1], a[3]));
        case "sign" -> {
            Signature s = signature(a[2]);
            s.initSign(key(a[1], null));
            s.update(read(a[3]));
            write(a[4], s.sign());
        }
        case "verify" -> {
            Signature s = signature(a[2]);
            s.initVerify(pub(a[1]));
            s.update(read(a[3]));
            if (!s.verify(read(a[4]))) throw new Exception("the signature does not verify");
        }
        case "sign-mldsa" -> {
            Signature s = Signature.getInstance("ML-DSA", "BC");
            s.initSign(key(a[1], null));
            s.update(read(a[2]));
            write(a[3], s.sign());
        }
        case "verify-mldsa" -> {
            Signature s = Signature.getInstance("ML-DSA", "BC");
            s.initVerify(pub(a[1]));
            s.update(read(a[2]));
            if (!s.verify(read(a[3]))) throw new Exception("the signature does not verify");
        }
        case "encrypt" -> write(a[4], encrypt(a[1], a[2], read(a[3])));
        case "decrypt" -> write(a[4], decrypt(a[1], a[2], read(a[3])));
        case "cert" -> makeCert(a[2], a[1]);
        case "request" -> {
            PrivateKey key = key(a[1], null);
            X500Name name = new X500Name("C=CN,CN=BouncyCastle");
            writePem(a[2], new JcaPKCS10CertificationRequestBuilder(name, publicOf(key))
                               .build(signer(key)));
        }
        case "check-request" -> {
            PKCS10CertificationRequest r = (PKCS10CertificationRequest) pem(a[1]);
            SubjectPublicKeyInfo key = r.getSubjectPublicKeyInfo();
            var verifier = new JcaContentVerifierProviderBuilder().setProvider("BC").build(key);
            if (!r.isSignatureValid(verifier))
                throw new Exception("the signature does not verify");
        }
        case "cms-sign" -> cmsSign(a[1], a[2], a[3], a[4], true, "DER");
        case "cms-sign-ber" -> cmsSign(a[1], a[2], a[3], a[4], true, "BER");
        case "cms-sign-detached" -> cmsSign(a[1], a[2], a[3], a[4], false, "DER");
        case "cms-verify" -> cmsVerify(new CMSSignedData(read(a[1])), a[2]);
        case "cms-verify-detached" -> {
            cmsVerify(new CMSSignedData(new CMSProcessableByteArray(read(a[2])), read(a[1])), null);
            write(a[3], read(a[2]));
        }
        default -> throw new Exception("no such action");
        }
    }

    public static void main(String[] arguments) {
        Security.addProvider(new BouncyCastleProvider());
        try {
            act(arguments);
        } catch (Exception e) {
            System.err.println("BouncyCastle: " + e);
            System.exit(1);
        }
    }
}
